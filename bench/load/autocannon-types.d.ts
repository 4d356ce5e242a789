/** The parts of autocannon 9 that the benchmark uses. */
declare module "autocannon" {
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** In seconds. */
    readonly duration: number;
    /** In seconds. */
    readonly timeout: number;
    readonly requests: readonly {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    }[];
  }

  interface Result {
    readonly "2xx": number;
    readonly non2xx: number;
    /** Responses by status. */
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
    /** Connections that failed or timed out. */
    readonly errors: number;
    /** In seconds. */
    readonly duration: number;
  }

  export default function autocannon(options: Options): Promise<Result>;
}
