/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall } from "../../web/page.tsx";
import { CodeBlock, Section } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { mayExportEverything } from "./everything-access.ts";

/** The part of the export page about files of everything: what is in them, and buttons for who may have them. */
export function EverythingSections({
  call: { caller, words },
}: {
  readonly call: Pick<PageCall, "caller" | "words">;
}): Markup {
  const say = words.library.exporting;
  const mayExport = mayExportEverything(caller);
  return (
    <>
      <Section title={say.everything}>
        <h3>{say.archive}</h3>
        <p>{say.archiveText}</p>
        <p>{say.archiveUse}</p>
        {mayExport ? (
          <form method="post" action={local("/library/export/everything.zip")}>
            <button class="button plain" type="submit">
              {say.download} ZIP
            </button>
          </form>
        ) : (
          <p>
            <a href={local("/sign-in", { next: "/library/export" })}>{say.signIn}</a> {say.whySignIn}
          </p>
        )}
        <p class="quiet">{say.command}</p>
        <CodeBlock text={say.everythingCommand} />
      </Section>
      {mayExport && (
        <Section title={say.everythingJson}>
          <h3>{say.everythingJsonTitle}</h3>
          <p>{say.everythingJsonText}</p>
          <form method="post" action={local("/library/export/everything.json")}>
            <button class="button plain" type="submit">
              {say.downloadEverythingJson}
            </button>
          </form>
        </Section>
      )}
    </>
  );
}
