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

export type Explained = {
  statement: string
  /** Each look at a table or an index, and how many rows it read, those it threw away included. */
  reads: { table: string; by: string; rows: number }[]
  /** Whether row-level security was in force: only then the plan speaks of the workspace that is set. */
  underPolicy: boolean
}

// auto_explain tells the plan of every statement as it is really run: by the same role, with the same parameters, and
// those inside functions too. It tells it to the client, as a notice, so that nobody has to read the server's log.
const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

/** The address of the same database, on connections that explain what they do. Only a superuser may. */
export function explaining(databaseUrl: string): string {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const separator = databaseUrl.includes('?') ? '&' : '?'
  return `${databaseUrl}${separator}options=${encodeURIComponent(options.join(' '))}`
}

/** Gives the plans of all that a pool runs while some work is done. */
export function createPlanReader(pool: pg.Pool) {
  const known = new WeakSet<pg.PoolClient>()
  let plans: Explained[] = []
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    client.on('notice', ({ message = '' }) => {
      const json = /plan:\n(.*)/s.exec(message)?.[1]
      if (json !== undefined) plans.push(read(json))
    })
  })
  return async function plansOf(work: () => Promise<unknown>): Promise<Explained[]> {
    plans = []
    await work()
    return plans
  }
}

function read(json: string): Explained {
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

/** The figures of a plan are averages a loop. */
function rowsOf(node: Node): number {
  const thrownAway = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + thrownAway) * node['Actual Loops']
}
