import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...readdirSync(new URL('docs', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Per page and language: how many snippets there are, and the test that runs them or why none does. */
const known: Record<string, [count: number, runBy: string]> = {
  'README.md sh': [
    6,
    'npm start, setup: .ci/run, command-line; curl: documented-snippets; claude: connect-snippets',
  ],
  'README.md ts': [1, 'client-package'],
  'README.md json': [2, 'a response and a configuration: task-life-cycle, connect-snippets'],
  'CONTRIBUTING.md sh': [1, 'commands of this repository: .ci/run'],
  'examples/README.md ts': [1, 'src/client/testing.test.ts'],
  'examples/README.md json': [1, 'not run: a configuration file of Claude Code, which needs an account'],
  'docs/audit.md sh': [2, 'not run: they need files that the operator has kept'],
  'docs/audit.md js': [
    1,
    'not run: it reads an export that the operator has kept; audit-export checks the format',
  ],
  'docs/audit.md json': [1, 'a line of an export: audit-export'],
  'docs/backup.md sh': [
    5,
    'not run: cron, and commands with the paths of an operator; backup runs the commands',
  ],
  'docs/deployment.md sh': [4, 'not run: systemd, Docker and a certificate authority are needed'],
  'docs/deployment.md nginx': [2, 'behind-nginx'],
  'docs/deployment.md caddy': [1, 'not run: Caddy is not in Debian 12 for all platforms'],
  'docs/people-and-keys.md sh': [2, 'command-line, documented-snippets'],
  'docs/performance.md sh': [1, 'not run: all benchmarks take about 40 minutes'],
  'docs/python.md python': [15, 'python-client-docs'],
  'docs/python.md sh': [1, 'python-client installs the same file; its name: python-client-docs'],
  'docs/scaling.md sh': [1, 'not run: it needs three machines'],
  'docs/scaling.md ini': [1, 'not run: behind-a-pooler writes its own, with a small pool'],
  'docs/scaling.md haproxy': [1, 'npm run test:chaos -- failover'],
  'docs/single-sign-on.md sh': [
    2,
    'not run: variables and a command of an operator; single-sign-on uses the same link',
  ],
  'docs/standing-rules.md json': [1, 'rule-suggestions'],
  'docs/tools-for-models.md json': [1, 'a result: mcp-arguments'],
  'docs/typescript.md ts': [7, 'client-package'],
  'docs/typescript.md js': [1, 'client-package'],
  'docs/typescript.md sh': [2, 'client-package'],
  'docs/waiting.md js': [5, 'waiting-docs'],
  'docs/webhooks.md ts': [1, 'documented-snippets'],
  'docs/webhooks.md python': [1, 'documented-snippets'],
  'docs/webhooks.md sh': [1, 'documented-snippets'],
  'docs/webhooks.md json': [1, 'an event: push'],
  'docs/when-people-ask-back.md json': [2, 'documented-snippets'],
  'docs/when-people-ask-back.md sh': [1, 'documented-snippets'],
  'docs/who-answers.md json': [3, 'review'],
  'docs/widgets.md json': [2, 'an excerpt of a task, and edits of an answer: documented-snippets'],
  'docs/writing-tasks.md json': [2, 'connect-snippets'],
}

test('every snippet in the documentation is run by a test, or listed with the reason why not', () => {
  const found: Record<string, number> = {}
  for (const page of pages) {
    const text = readFileSync(new URL(page, root), 'utf8')
    for (const [, language] of text.matchAll(/^ *```([a-z]+)/gm)) {
      const key = `${page} ${language}`
      found[key] = (found[key] ?? 0) + 1
    }
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(known).map(([key, [count]]) => [key, count])))
})
