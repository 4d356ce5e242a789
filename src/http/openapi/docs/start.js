const { SwaggerUIBundle } = window;

// Swagger UI has dark colors, but the page must turn them on.
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
  // The validator badge would send the document's URL to validator.swagger.io.
  validatorUrl: null,
  plugins: [() => ({ wrapComponents: { ServersContainer: () => () => null } })],
  // Requests go to the server of the page, even if PUBLIC_URL is a different one.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    return request;
  },
});
