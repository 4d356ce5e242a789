/** @jsxImportSource #jsx */
import type { PageContext } from "../web/page.tsx";
import { Title } from "../web/sections.tsx";
import type { SafeUrl } from "../web/urls.ts";
import type { View } from "../web/view.ts";

/** The view of an import that does not exist, mostly because its file was deleted. @param url where files are chosen */
export function missingImportView({ messages }: Pick<PageContext, "messages">, url: SafeUrl): View {
  const { title, text, choose } = messages.library.importing.missing;
  return {
    title,
    noIndex: true,
    body: (
      <>
        <Title text={title}>{text}</Title>
        <div class="row part">
          <p>
            <a class="button" href={url}>
              {choose}
            </a>
          </p>
        </div>
      </>
    ),
  };
}
