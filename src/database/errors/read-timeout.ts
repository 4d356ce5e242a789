import { Refusal } from "../../errors.ts";

/** A read was not done by its deadline. */
export class ReadTimeout extends Refusal {
  constructor() {
    super("unavailable", "Reading took too long.", {});
  }
}
