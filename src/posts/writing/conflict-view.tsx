/** @jsxImportSource #jsx */
import type { PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { EditReplace } from "../editing/edit.ts";
import { shownTitle } from "../shown-title.ts";
import { LineDiff } from "./line-diff.tsx";

/** Two texts of one post: the typed one, and the one that someone else has stored since. */
export interface Conflict {
  readonly key: string;
  /** The origin of the conflict: the stored working copy, or the post. */
  readonly with: "stored" | "post";
  readonly mine: EditReplace;
  readonly theirs: { readonly title: string; readonly content: string };
  /** The versions that an up-to-date form has. */
  readonly current: { readonly version: number; readonly baseVersion: number | null };
}

export function conflictView({ messages }: PageContext, conflict: Conflict): View {
  const { key, mine, theirs, current } = conflict;
  const labels = messages.blog.write.conflict;
  const title = labels.title(shownTitle(mine.title || theirs.title));
  const kept = {
    ...mine.fields,
    post: mine.post === null ? "" : String(mine.post),
    base_version: current.baseVersion === null ? "" : String(current.baseVersion),
    version: String(current.version),
  };
  return {
    title,
    status: 409,
    noIndex: true,
    scripts: ["kept-texts.js"],
    body: (
      <>
        <Title text={title} />
        <div class="row part">
          <div class="notice alarm" role="alert">
            <h2>{labels.heading}</h2>
            <p>{labels.text}</p>
          </div>
        </div>
        <Section title={labels.byLine} id="by-line">
          <LineDiff
            theirs={`${theirs.title}\n\n${theirs.content}`}
            mine={`${mine.title}\n\n${mine.content}`}
            names={{ theirs: labels.their, mine: labels.yours }}
            messages={messages}
          />
        </Section>
        <Section title={labels.inFull} id="in-full">
          <kept-form data-key={key}>
            <form class="stack" method="post" action={local(`/write/${key}`)}>
              {Object.entries(kept).map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
              ))}
              <input type="hidden" name="title" value={mine.title} />
              <div class="two">
                <div class="field">
                  <label for="content">{labels.mine[conflict.with]}</label>
                  <textarea id="content" name="content" aria-describedby="mine-hint" class="says" rows={8}>
                    {`\n${mine.content}`}
                  </textarea>
                  <p class="hint" id="mine-hint">
                    {labels.mineHint}
                  </p>
                </div>
                <div class="field">
                  <label for="theirs">{labels.theirs}</label>
                  <textarea id="theirs" aria-describedby="theirs-hint" class="says" readonly rows={8}>
                    {`\n${theirs.content}`}
                  </textarea>
                  <p class="hint" id="theirs-hint">
                    {labels.theirsHint}
                  </p>
                </div>
              </div>
              <p class="bar">
                <button
                  class="button"
                  name="action"
                  value={conflict.with === "post" ? "mine" : "keep-mine"}
                  type="submit"
                >
                  {labels.useMine[conflict.with]}
                </button>
                <button
                  class="button plain"
                  name="action"
                  value={conflict.with === "post" ? "use-post" : "theirs"}
                  type="submit"
                >
                  {labels.useTheirs}
                </button>
              </p>
              <p class="quiet">{labels.after[conflict.with]}</p>
            </form>
          </kept-form>
        </Section>
      </>
    ),
  };
}
