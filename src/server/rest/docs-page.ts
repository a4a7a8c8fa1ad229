import { openApiDocument } from './openapi.ts'
import type { Json } from './openapi-schemas.ts'
import type { Route } from './route.ts'

type Parameter = { name: string; in: string; required: boolean; schema: Json }
type Content = Record<string, { schema: Json }>
type Components = { schemas: Record<string, Json>; parameters: Record<string, Json> }

/** /docs: the OpenAPI document as a readable page, without scripts. */
export function docsPage(publicUrl: string, version: string, basePath: string): string {
  const document = openApiDocument(publicUrl, version) as {
    info: { description: string }
    paths: Record<string, Record<string, Json>>
    components: Components
  }
  const { components } = document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(operations.map(({ operation }) => (operation.tags as string[])[0]!))]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Handrail API</title>
<link rel="stylesheet" href="${basePath}/docs/style.css">
</head>
<body>
<header>
<p class="top"><a href="${basePath}/"><strong>Handrail</strong></a> <a href="${basePath}/">Open the inbox</a></p>
<h1>Handrail API</h1>
<p>${escapeHtml(document.info.description)}</p>
<p>Base URL <code>${escapeHtml(publicUrl)}/api/v1</code> · <a href="${basePath}/api/v1/openapi.json">OpenAPI 3.1</a></p>
<pre>curl -X POST ${escapeHtml(publicUrl)}/api/v1/tasks \\
  -H 'X-Api-Key: hrl_…' -H 'content-type: application/json' \\
  -d '{
    "task": { "type": "refund-approval", "name": "Refund €40?",
      "description": "The parcel came back." },
    "actions": [{ "id": "approve", "title": "Approve" },
      { "id": "decline", "title": "Decline" }]
  }'

curl '${escapeHtml(publicUrl)}/api/v1/tasks/tsk_…?waitSeconds=50' \\
  -H 'X-Api-Key: hrl_…'</pre>
<nav>${[...tags, 'schemas'].map((tag) => `<a href="#section-${tag}">${tag}</a>`).join(' ')}</nav>
</header>
<main>
${tags
  .map(
    (tag) => `<section id="section-${tag}"><h2>${tag}</h2>
${operations
  .filter(({ operation }) => (operation.tags as string[])[0] === tag)
  .map((operation) => describe(operation, components))
  .join('\n')}</section>`,
  )
  .join('\n')}
<section id="section-schemas"><h2>schemas</h2>
${Object.entries(components.schemas).map(schemaFold).join('\n')}</section>
</main>
</body>
</html>`
}

function describe(
  { path, method, operation }: { path: string; method: string; operation: Json },
  components: Components,
): string {
  const parameters = (operation.parameters as Json[]).map((parameter) => resolve(parameter, components))
  const body = (operation.requestBody as { content?: Content } | undefined)?.content
  const responses = operation.responses as Record<string, { content?: Content }>
  const role = operation['x-role'] as Route['role']
  const scope = operation['x-scope'] as Route['scope']
  return `<article id="${operation.operationId}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(String(operation.summary))}</p>
<p class="who">${who(operation.security as Json[])}${role ? `, ${role} or higher` : ''}${scope ? `; a key needs the scope <code>${scope}</code>` : ''}</p>
${
  parameters.length === 0
    ? ''
    : `<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th></tr></thead><tbody>${(
        parameters as Parameter[]
      )
        .map(
          ({ name, in: location, required, schema }) =>
            `<tr><td><code>${escapeHtml(name)}</code>${required ? '' : ' <span class="quiet">optional</span>'}</td><td>${location}</td><td>${escapeHtml(typeText(schema, components))}</td></tr>`,
        )
        .join('')}</tbody></table>`
}
${body ? schemaLink('Body', Object.values(body)[0]!.schema) : ''}
${Object.entries(responses)
  .filter(([status, { content }]) => status !== 'default' && content?.['application/json'])
  .map(([status, { content }]) => schemaLink(`Response ${status}`, content!['application/json']!.schema))
  .join('')}
</article>`
}

function who(security: Json[]): string {
  if (security.length === 0) return 'Anyone'
  return security.some((scheme) => 'apiKey' in scheme)
    ? 'An API key or a signed-in person'
    : 'A signed-in person'
}

function schemaLink(title: string, schema: Json): string {
  const name = String(schema.$ref).split('/').at(-1)
  return `<p>${title}: <a href="#schema-${name}">${name}</a></p>`
}

/** Browsers open the fold when a link points into it. */
function schemaFold([name, schema]: [string, Json]): string {
  const text = escapeHtml(JSON.stringify(schema, null, 2)).replace(
    /#\/components\/schemas\/(\w+)/g,
    '<a href="#schema-$1">$1</a>',
  )
  return `<details><summary>${name}</summary><pre id="schema-${name}">${text}</pre></details>`
}

function typeText(schema: Json, components: Components): string {
  if (schema.$ref !== undefined) return typeText(resolve(schema, components), components)
  if (Array.isArray(schema.enum)) return schema.enum.join(' · ')
  if (schema.type === 'array') return `list of ${typeText(schema.items as Json, components)}`
  return String(schema.type ?? 'text')
}

function resolve(node: Json, components: Components): Json {
  const [, , kind, name] = String(node.$ref ?? '').split('/')
  return kind === undefined ? node : components[kind as keyof Components][name!]!
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A separate stylesheet, because the web app's has a hashed name. The colors are copies of its tokens. */
export const docsStyle = `
:root { color-scheme: light dark; --ink: oklch(.235 .014 210); --ink-2: oklch(.415 .013 205); --ink-3: oklch(.505 .013 200);
  --surface: oklch(.993 .002 95); --sunken: oklch(.95 .007 95); --line: oklch(.905 .008 95); --accent-ink: oklch(.44 .073 197); }
@media (prefers-color-scheme: dark) { :root { --ink: oklch(.945 .005 95); --ink-2: oklch(.78 .008 150); --ink-3: oklch(.695 .01 180);
  --surface: oklch(.212 .009 210); --sunken: oklch(.16 .008 210); --line: oklch(.3 .011 210); --accent-ink: oklch(.82 .09 188); } }
body { margin: 0 auto; max-width: 76ch; padding: 24px 16px 96px; background: var(--surface); color: var(--ink);
  font: 14px/22px 'IBM Plex Sans Variable', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
h1 { font-size: 20px; line-height: 28px; letter-spacing: -.012em; margin: 0 0 8px; }
h2 { font-size: 15px; margin: 48px 0 0; padding-bottom: 8px; border-bottom: 1px solid var(--line); }
h3 { font-size: 14px; font-weight: 600; margin: 24px 0 4px; overflow-wrap: anywhere; }
p { margin: 4px 0; } .who, .quiet { color: var(--ink-3); } .method { color: var(--accent-ink); font-size: 12px; }
a { color: var(--accent-ink); } nav a { margin-right: 12px; }
.top { display: flex; justify-content: space-between; margin: 0 0 24px; } .top strong { color: var(--ink); }
code, pre { font: 12.5px/20px 'IBM Plex Mono', ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace; }
pre { background: var(--sunken); border-radius: 6px; padding: 12px; overflow: auto; scroll-margin-top: 32px; }
table { border-collapse: collapse; width: 100%; margin: 8px 0; } th, td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 500; color: var(--ink-2); } summary { cursor: pointer; color: var(--ink-2); }
`
