import { runCommand } from './commands.ts'

process.exit(await runCommand(process.argv.slice(2)))
