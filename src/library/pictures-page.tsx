/** @jsxImportSource #jsx */
import { z } from "zod";
import { notFetched } from "../copies/fetching/request-fetch.ts";
import {
  countMissing,
  countPictures,
  findProgress,
  requestPictures,
  stopPictures,
} from "../copies/page-pictures/missing-pictures.ts";
import type { Routes } from "../http/endpoint.ts";
import { PAGE_PICTURE_BYTES } from "../media/accept-page-picture.ts";
import type { Markup } from "../web/jsx/preact.js";
import type { PageContext } from "../web/page.tsx";
import { CodeInText, Section, Title } from "../web/sections.tsx";
import { local } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import type { LibraryParts } from "./library-parts.ts";

const PAGE = local("/library/pictures");
const Nothing = z.object({});

/** `/library/pictures`: pictures and titles of all links, which a job reads from their pages. */
export function allPicturesPage({ pages, database, copyParts }: LibraryParts): Routes {
  const { writeAccess: access, fetching, room } = copyParts;

  const show = pages.page({ access, inSnapshot: true }, (call) => view(call, fetching !== undefined));

  const start = pages.page({ access, body: Nothing }, async ({ client }) => {
    if (fetching === undefined) throw notFetched();
    room.checkDisk(PAGE_PICTURE_BYTES);
    // Of all links: in the transaction, every other change would wait for it.
    const missing = await countMissing(database.read);
    if (missing > 0) await database.write((sql) => requestPictures(sql, missing, database.clock.now()));
    fetching.wake();
    const notice = { code: missing === 0 ? "nothing-changed" : "pictures-asked" } as const;
    return seeOther(PAGE, { scheme: client.scheme, notice });
  });

  const stop = pages.page({ access, body: Nothing }, async ({ client }) => {
    await database.write(stopPictures);
    return seeOther(PAGE, { scheme: client.scheme, notice: { code: "pictures-stopped" } });
  });

  return {
    "/library/pictures": { GET: show },
    "/library/pictures/start": { POST: start },
    "/library/pictures/stop": { POST: stop },
  };
}

async function view(
  { messages, read }: Pick<PageContext, "messages" | "read">,
  fetches: boolean,
): Promise<View> {
  const labels = messages.picturing;
  const running = await findProgress(read);
  // The page of a running job is asked for every two seconds, and does not say it.
  const missing = running === undefined ? await countMissing(read) : 0;
  return {
    title: labels.title,
    noIndex: true,
    scripts: running === undefined ? [] : ["running-job.js"],
    body: (
      <>
        <Title text={labels.title}>{labels.intro}</Title>
        <Section title={labels.all}>
          <p>{labels.kept(await countPictures(read))}</p>
          {running !== undefined ? (
            <>
              <running-job>
                <label for="progress">{labels.running(running.done, running.total)}</label>
                <progress id="progress" max={Math.max(running.total, 1)} value={running.done} />
                <a class="link-button without-script" href={PAGE}>
                  {labels.refresh}
                </a>
              </running-job>
              <Button path="stop" text={labels.stop} />
            </>
          ) : missing === 0 ? (
            <p>{labels.none}</p>
          ) : !fetches ? (
            <p class="quiet">
              <CodeInText text={labels.isOff} />
            </p>
          ) : (
            <>
              <p>
                {labels.missing(missing)} {labels.cost(missing)}
              </p>
              <Button path="start" text={labels.start(missing)} />
            </>
          )}
        </Section>
      </>
    ),
  };
}

function Button({ path, text }: { readonly path: "start" | "stop"; readonly text: string }): Markup {
  return (
    <form
      method="post"
      action={local(path === "start" ? "/library/pictures/start" : "/library/pictures/stop")}
    >
      <button class={path === "start" ? "button" : "button plain"} type="submit">
        {text}
      </button>
    </form>
  );
}
