import { z } from 'zod'
import { Problem, problemStatus } from '../../contract/problem.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1, made from the same list that the router is made from. */
export function openApiDocument(publicUrl: string, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Handrail',
      version,
      description:
        'Agents hand work to people and get an answer back. Send an API key as X-Api-Key or Authorization: Bearer; ' +
        'people use the session cookie and name their workspace by the header Handrail-Workspace.',
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    paths,
    components: {
      schemas: { Problem: toSchema(Problem) },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'handrail.session_token' },
      },
    },
  }
}

function operation(route: Route): Json {
  return {
    summary: route.summary,
    operationId: operationId(route),
    tags: [route.path.split('/')[1]],
    security: security[route.who as keyof typeof security],
    ...(route.role && { 'x-role': route.role }),
    ...(route.scope && { 'x-scope': route.scope }),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query'), ...headers(route)],
    ...(route.body && { requestBody: { required: true, content: json(toSchema(route.body)) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, schema]) => [status, response(schema)]),
      ),
      default: {
        description: `A problem. Codes: ${Object.keys(problemStatus).join(', ')}.`,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

const security = {
  'agent-or-member': [{ apiKey: [] }, { bearer: [] }, { cookie: [] }],
  caller: [{ apiKey: [] }, { bearer: [] }, { cookie: [] }],
  member: [{ cookie: [] }],
  person: [{ cookie: [] }],
  anyone: [],
}

function operationId({ method, path }: Route): string {
  const words = path.replace(/[{}]/g, '').split(/[/-]/).filter(Boolean)
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

function response(schema: Route['answers'][number]): Json {
  if (schema === undefined) return { description: 'Done. No body.' }
  if (schema === 'event-stream') {
    return {
      description: 'A stream that stays open.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    }
  }
  if (schema === 'download') {
    const content = { schema: { type: 'string' } }
    return { description: 'A file.', content: { 'application/x-ndjson': content, 'text/csv': content } }
  }
  return { description: 'Done.', content: json(toSchema(schema)) }
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toSchema(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    ...(property.type === 'array' && { style: 'form', explode: false }),
  }))
}

function headers(route: Route): Json[] {
  const string = { type: 'string' }
  return [
    ...(route.who === 'member' || route.who === 'agent-or-member'
      ? [{ name: 'Handrail-Workspace', in: 'header', required: false, schema: string }]
      : []),
    ...(route.who === 'member'
      ? [
          {
            name: 'Handrail-Person',
            in: 'header',
            required: false,
            schema: string,
            description: 'The id of the person the session must belong to, usr_…; otherwise 401.',
          },
        ]
      : []),
    ...(route.method === 'post' && route.path === '/tasks'
      ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: string }]
      : []),
  ]
}

/** What comes out of parsing is what a caller should send: wrappers for null and "" are our kindness, not the contract. */
function toSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A clamped number is a pipe; its output is the number.
      if (zodSchema._zod.def.type === 'custom') Object.assign(jsonSchema, { type: 'object' })
      // Zod's patterns of formats use lookaround, which Go and RE2 do not compile. The format says it all.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  })
  return rest
}
