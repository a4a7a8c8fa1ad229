import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { variables } from '../src/server/environment-variables.ts'

test('docs/configuration.md lists every variable as environment-variables.ts has it (npx vitest -u updates it)', async () => {
  const rows = Object.entries(variables).map(([name, { schema, about }]) => {
    const result = schema.safeParse(undefined)
    const value = result.success && result.data !== undefined ? String(result.data) : ''
    const byDefault = value && `\`${value}\``
    return `| \`${name}\` | ${byDefault} | ${about} |`
  })
  const page = `# Configuration

Environment variables are read once at start. All invalid values are reported together, and the process exits with code 1. An
empty variable counts as unset.

| variable | default | meaning |
|---|---|---|
${rows.join('\n')}

The four secrets (\`API_KEY_PEPPER\`, \`ENCRYPTION_KEY\`, \`AUTH_SECRET\` and \`SERVICE_MCP_INTERNAL_TOKEN\`) must stay the same: with others than
the database was set up with, the service does not start.

\`--only backend\`, \`--only mcp\` and \`--only jobs\` run only that part. Without the option, a process runs everything.
`
  await expect(page).toMatchFileSnapshot('../docs/configuration.md')
})

test('the key of an agent has one name wherever it is read from the environment', () => {
  const files = execFileSync('git', ['ls-files', '*.md', 'examples', 'src/web', 'src/cli', 'test/clients'])
  const names = String(files)
    .split('\n')
    .filter((file) => /\.(md|ts|tsx|mjs)$/.test(file))
    .flatMap((file) => readFileSync(file, 'utf8').match(/\bHANDRAIL_\w*KEY\b|(?<=env\.|\$)\w*KEY\b/g) ?? [])
  expect(names.length).toBeGreaterThan(10)
  expect([...new Set(names)]).toEqual(['HANDRAIL_API_KEY'])
})
