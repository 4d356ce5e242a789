/** @jsxImportSource #jsx */
import type { PageContext } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { EditReplace } from "../editing/edit.ts";
import { shownTitle } from "../shown-title.ts";

/** What a discarded text belongs to; `whole draft`: the draft itself is deleted. */
export type DiscardedFrom = "nothing" | "draft" | "published" | "whole draft";

/** Asks before a text is discarded. It travels with the question, so that writing can go on with all of it. */
export function discardView({ messages }: PageContext, { key, text, version, from }: DiscardQuestion): View {
  const labels = messages.blog.write;
  const name = shownTitle(text.title).trim();
  const title = {
    nothing: labels.discarding.title,
    draft: labels.discarding.changes,
    published: labels.discarding.changes,
    "whole draft": labels.deleting.title,
  }[from];
  const explanation = {
    "whole draft": labels.deleting.text,
    nothing: labels.discarding.text,
    draft: labels.discarding.draftText,
    published: labels.discarding.changesText,
  }[from](name);
  const fields = {
    ...text.fields,
    title: text.title,
    content: text.content,
    post: text.post === null ? "" : String(text.post),
    base_version: text.base_version === null ? "" : String(text.base_version),
    version: String(version ?? 0),
  };
  return {
    title,
    noIndex: true,
    scripts: ["kept-texts.js"],
    body: (
      <>
        <Title text={title}>{explanation}</Title>
        <kept-form data-key={key}>
          <form class="row part" method="post" action={local(`/write/${key}`)}>
            <div class="stack">
              {Object.entries(fields).map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
              ))}
              {from === "whole draft" && `${text.content} ${text.fields.image}`.includes("/media/") && (
                <label class="choice">
                  <input type="checkbox" name="images" value="delete" /> {labels.deleting.images}
                </label>
              )}
              <p class="bar">
                <button
                  class="button plain alarm"
                  name="action"
                  value={from === "whole draft" ? "delete-now" : "discard-now"}
                  type="submit"
                >
                  {from === "whole draft" ? labels.deleting.submit : labels.discard}
                </button>
                <button class="button plain" name="action" value="save" type="submit">
                  {labels.discarding.keep}
                </button>
              </p>
            </div>
          </form>
        </kept-form>
      </>
    ),
  };
}

export interface DiscardQuestion {
  readonly key: string;
  readonly text: EditReplace;
  /** The version of the working copy that the form shows. */
  readonly version: number | null;
  readonly from: DiscardedFrom;
}
