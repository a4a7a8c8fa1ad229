import type pg from 'pg'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

export type ExplainedStatement = {
  statement: string
  /** One entry per scan of a table or an index, with the rows it read, including those it filtered out. */
  reads: { table: string; by: string; rows: number }[]
  /** Whether row-level security applied: only then does the plan mention the workspace setting. */
  underPolicy: boolean
}

// auto_explain reports the plan of every statement as it actually runs: with the same role and
// parameters, and including statements inside functions. It reports to the client as a notice, so
// that the server's log need not be read.
const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

/** The same database URL with auto_explain enabled for its connections. Requires a superuser. */
export function withAutoExplain(databaseUrl: string): string {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const separator = databaseUrl.includes('?') ? '&' : '?'
  return `${databaseUrl}${separator}options=${encodeURIComponent(options.join(' '))}`
}

/** Returns a function that collects the plans of all statements a pool runs during some work. */
export function createPlanReader(pool: pg.Pool) {
  const known = new WeakSet<pg.PoolClient>()
  let plans: ExplainedStatement[] = []
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    client.on('notice', ({ message = '' }) => {
      const json = /plan:\n(.*)/s.exec(message)?.[1]
      if (json !== undefined) plans.push(read(json))
    })
  })
  return async function plansDuring(work: () => Promise<unknown>): Promise<ExplainedStatement[]> {
    plans = []
    await work()
    return plans
  }
}

function read(json: string): ExplainedStatement {
  const explained = JSON.parse(json) as { 'Query Text': string; Plan: Node }
  return {
    statement: explained['Query Text'].replace(/\s+/g, ' ').trim(),
    reads: flatten(explained.Plan)
      .filter((node) => node['Relation Name'] !== undefined || node['Index Name'] !== undefined)
      .map((node) => ({
        table: node['Relation Name'] ?? '',
        by: [node['Node Type'], node['Index Name']].filter(Boolean).join(' '),
        rows: Math.round(rowsOf(node)),
      })),
    underPolicy: json.includes("current_setting('handrail.workspace'"),
  }
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}

/** The numbers in a plan are averages per loop. */
function rowsOf(node: Node): number {
  const filteredOut = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + filteredOut) * node['Actual Loops']
}
