import type { HttpBindings } from '@hono/node-server'

/** Responds to requests. The bindings are the request and response of Node's HTTP server. */
export type FetchHandler = (request: Request, bindings?: HttpBindings) => Response | Promise<Response>
