import { head, RawConnection } from "../requests/raw-http.ts";

/** The path of the archive with all data. */
export const ZIP = "/library/export/everything.zip";

/** Requests the archive like the form of the export page, and reads no response. @param cookie of a session */
export async function askForEverything(url: string, cookie: string): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  const fields = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": "0",
    origin: "http://localhost",
    cookie,
  };
  connection.write(head({ method: "POST", target: ZIP, fields }));
  return connection;
}
