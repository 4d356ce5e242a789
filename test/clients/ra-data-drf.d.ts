/** The package has no types of its own. */
declare module "ra-data-drf" {
  interface Answer<T> {
    readonly data: T;
    readonly total?: number;
  }

  type Provider = <T>(type: string, resource: string, params: object) => Promise<Answer<T>>;
  type HttpClient = (url: string, options?: object) => Promise<object>;

  export default function drfProvider(apiUrl: string, httpClient?: HttpClient): Provider;
}
