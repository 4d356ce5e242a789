import { Refusal } from "../../errors.ts";

/** A read was not done by its deadline. */
export class ReadTimeout extends Refusal {
  /** Whether it waited for other work for most of that time. */
  readonly isBusy: boolean;

  constructor({ isBusy = false } = {}) {
    super("unavailable", "Reading took too long.", {});
    this.isBusy = isBusy;
  }
}
