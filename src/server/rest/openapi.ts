import type { z } from 'zod'
import { Problem, problemStatus } from '../../contract/problem.ts'
import { sessionCookieName } from '../lib/session-cookie.ts'
import { type Json, openApiSchemas } from './openapi-schemas.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

/** OpenAPI 3.1, generated from the list of routes that the router uses. */
export function openApiDocument(publicUrl: string, version: string): Json {
  const { find, reference, componentsOf } = openApiSchemas(routes)
  // Parameters in the path and in headers. The parameters of a query are written per operation.
  const sharedParameters: Record<string, Json> = {}
  const shared = (parameter: Json): Json => {
    sharedParameters[String(parameter.name)] ??= parameter
    return { $ref: `#/components/parameters/${parameter.name}` }
  }
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method] = {
      summary: route.summary,
      operationId: route.operationId,
      tags: [route.path.split('/')[1]],
      security: security[route.who as keyof typeof security],
      ...(route.role && { 'x-role': route.role }),
      ...(route.scope && { 'x-scope': route.scope }),
      parameters: [
        ...(route.params ? parameters(find(route.params), 'path').map(shared) : []),
        ...(route.query ? parameters(find(route.query), 'query') : []),
        ...headers(route).map(shared),
      ],
      ...(route.body && { requestBody: { required: true, content: json(reference(route.body)) } }),
      responses: {
        ...Object.fromEntries(
          Object.entries(route.responses).map(([status, schema]) => [
            status,
            {
              ...response(schema, reference),
              ...(route.idempotent && status === '200' && { headers: replayed }),
            },
          ]),
        ),
        default: { $ref: '#/components/responses/Problem' },
      },
    }
  }
  const responses = {
    Problem: {
      description: `An error. Codes: ${Object.keys(problemStatus).join(', ')}.`,
      content: { 'application/problem+json': { schema: reference(Problem) } },
    },
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
      schemas: componentsOf({ paths, responses, sharedParameters }),
      responses,
      parameters: sharedParameters,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: sessionCookieName(publicUrl) },
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

const replayed = {
  'Idempotency-Replayed': {
    description: 'The call repeats an earlier one with the same key. Left out otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
}

function response(schema: Route['responses'][number], reference: (schema: z.ZodType) => Json): Json {
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
  return { description: 'Success.', content: json(reference(schema)) }
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

/** The properties of an object as parameters. */
function parameters(schema: Json, location: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
    ...(property.type === 'array' && { style: 'form', explode: false }),
  }))
}

function headers(route: Route): Json[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  return [
    ...(route.who === 'member' || route.who === 'agent-or-member'
      ? [
          header(
            'Handrail-Workspace',
            'The id of the workspace, wsp_…. Required for people who belong to several.',
          ),
        ]
      : []),
    ...(route.who !== 'anyone'
      ? [
          header(
            'Handrail-Person',
            'The id of the person that the session must belong to, usr_…. 401 if it belongs to someone else.',
          ),
        ]
      : []),
    ...(route.idempotent
      ? [
          header(
            'Idempotency-Key',
            'For 24 hours, the same call with the same key returns the same result. The same as idempotencyKey in the body.',
          ),
        ]
      : []),
  ]
}
