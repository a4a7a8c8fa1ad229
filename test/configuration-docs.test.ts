import { expect, test } from 'vitest'
import { variables } from '../src/server/config.ts'

test('docs/configuration.md lists every variable as config.ts has it (npx vitest -u writes it anew)', async () => {
  const rows = Object.entries(variables).map(([name, { schema, about }]) => {
    const result = schema.safeParse(undefined)
    const value = result.success && result.data !== undefined ? String(result.data) : ''
    const byDefault = value && `\`${value}\``
    return `| \`${name}\` | ${byDefault} | ${about} |`
  })
  const page = `# Configuration

Variables of the environment, read once at start and checked as a whole: all mistakes are reported together, and the
process ends with 1. An empty variable counts as unset.

| variable | default | meaning |
|---|---|---|
${rows.join('\n')}

\`--only backend\`, \`--only mcp\` and \`--only jobs\` run that part alone; without it the process does everything it can.
`
  await expect(page).toMatchFileSnapshot('../docs/configuration.md')
})
