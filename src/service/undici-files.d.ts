// The single files of undici have no types of their own; these are those of its entry.
declare module "undici/lib/dispatcher/dispatcher.js" {
  export { Dispatcher as default } from "undici";
}
declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  export { EnvHttpProxyAgent as default } from "undici";
}
declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}
declare module "undici/lib/api/api-request.js" {
  const request: unknown;
  export default request;
}
declare module "undici/lib/api/api-connect.js" {
  const connect: unknown;
  export default connect;
}
