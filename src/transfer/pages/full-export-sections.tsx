/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall } from "../../web/page.tsx";
import { CodeBlock, Section } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { mayExportAll } from "./full-export-access.ts";

/** The part of the export page about full exports: what is in them, and buttons for callers who may download them. */
export function FullExportSections({
  call: { caller, messages },
}: {
  readonly call: Pick<PageCall, "caller" | "messages">;
}): Markup {
  const labels = messages.library.exporting;
  const mayExport = mayExportAll(caller);
  return (
    <>
      <Section title={labels.everything}>
        <h3>{labels.archive}</h3>
        <p>{labels.archiveText}</p>
        <p>{labels.archiveUse}</p>
        {mayExport ? (
          <form method="post" action={local("/library/export/everything.zip")}>
            <button class="button plain" type="submit">
              {labels.download} ZIP
            </button>
          </form>
        ) : (
          <p>
            <a href={local("/sign-in", { next: "/library/export" })}>{labels.signIn}</a> {labels.whySignIn}
          </p>
        )}
        <p class="quiet">{labels.command}</p>
        <CodeBlock text={labels.everythingCommand} />
      </Section>
      {mayExport && (
        <Section title={labels.everythingJson}>
          <h3>{labels.everythingJsonTitle}</h3>
          <p>{labels.everythingJsonText}</p>
          <form method="post" action={local("/library/export/everything.json")}>
            <button class="button plain" type="submit">
              {labels.downloadEverythingJson}
            </button>
          </form>
        </Section>
      )}
    </>
  );
}
