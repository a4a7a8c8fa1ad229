import type pg from 'pg'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

export type Explained = {
  statement: string
  /** Each look at a table or an index: what it read, including what it threw away. */
  reads: { of: string; by: string; rows: number }[]
  /** Pages of 8 KB, in memory or not: the work inside an index that no row shows. */
  pages: number
}

// auto_explain tells the plan of every statement that is really run, as the role and with the parameters it is run with,
// those inside functions included; as a notice to the client, so that the server's log need not be read.
const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

/** The address of the same database, where every connection explains itself. */
export function explaining(databaseUrl: string): string {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=${encodeURIComponent(options.join(' '))}`
}

/** Collects the plans of all that a pool runs while `work` is done. The last ones come with COMMIT, before the answer. */
export function createPlanReader(pool: pg.Pool) {
  const known = new WeakSet<pg.PoolClient>()
  let plans: Explained[] = []
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    client.on('notice', ({ message = '' }) => {
      const at = message.indexOf('plan:\n')
      if (at !== -1) plans.push(read(JSON.parse(message.slice(at + 'plan:\n'.length))))
    })
  })
  return async function plansOf(work: () => Promise<unknown>): Promise<Explained[]> {
    plans = []
    await work()
    return plans
  }
}

function read(explained: { 'Query Text': string; Plan: Node }): Explained {
  const { Plan: top } = explained
  return {
    statement: explained['Query Text'].replace(/\s+/g, ' ').trim(),
    reads: flatten(top)
      .filter((node) => node['Relation Name'] !== undefined || node['Index Name'] !== undefined)
      .map((node) => ({
        of: node['Relation Name'] ?? '',
        by: [node['Node Type'], node['Index Name']].filter(Boolean).join(' '),
        rows: Math.round(rowsOf(node)),
      })),
    pages: top['Shared Hit Blocks'] + top['Shared Read Blocks'],
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
