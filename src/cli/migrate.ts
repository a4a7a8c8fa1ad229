import { parseFlags } from './arguments.ts'
import { withService } from './with-service.ts'

/** Opening the service runs pending migrations. */
export async function migrate(argv: string[]): Promise<number> {
  parseFlags(argv, [], [])
  await withService(async () => undefined, { canCreateDatabase: true })
  process.stdout.write('The database is up to date.\n')
  return 0
}
