import { z } from 'zod'
import { Problem, problemStatus } from '../../contract/problem.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1, generated from the list of routes that the router uses. */
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
        'Agents hand work to people and get an answer back. Programs send an API key as X-Api-Key or Authorization: Bearer; ' +
        'people use the session cookie and select their workspace with the header Handrail-Workspace.',
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
        Object.entries(route.responses).map(([status, schema]) => [status, response(schema)]),
      ),
      default: {
        description: `An error. Codes: ${Object.keys(problemStatus).join(', ')}.`,
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

function response(schema: Route['responses'][number]): Json {
  if (schema === undefined) return { description: 'Success. No body.' }
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
  return { description: 'Success.', content: json(toSchema(schema)) }
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

function parameters(schema: z.ZodType | undefined, location: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toSchema(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
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
            description:
              'The id of the person that the session must belong to, usr_…. 401 if it belongs to someone else.',
          },
        ]
      : []),
    ...(route.method === 'post' && route.path === '/tasks'
      ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: string }]
      : []),
  ]
}

/** The output side of the schema: that null and "" are tolerated is not part of the contract. */
function toSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Zod has no JSON Schema for custom types. All of ours are objects.
      if (zodSchema._zod.def.type === 'custom') Object.assign(jsonSchema, { type: 'object' })
      // Zod's patterns for formats use lookaround, which Go and RE2 cannot compile. The format
      // itself is enough.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  })
  return rest
}
