const { SwaggerUIBundle } = window;

// Swagger UI has dark colours, but leaves it to the page when to use them.
const dark = matchMedia("(prefers-color-scheme: dark)");
const applyColours = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", applyColours);
applyColours();

SwaggerUIBundle({
  dom_id: "#docs",
  url: "/openapi.json",
  deepLinking: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  // The badge of validator.swagger.io would send the document's address there.
  validatorUrl: null,
  plugins: [() => ({ wrapComponents: { ServersContainer: () => () => null } })],
  // The page talks to the server that it came from, also when that knows itself by another address.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    return request;
  },
});
