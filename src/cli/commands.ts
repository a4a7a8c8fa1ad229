import { nearest } from '../contract/repairs/nearest.ts'
import { reservedActions } from '../contract/reserved-actions.ts'
import { ConfigError } from '../server/config.ts'
import { DomainProblem } from '../server/domain/problems.ts'
import { explainDatabaseError, StartError } from '../server/lib/start-error.ts'
import { UsageError } from './arguments.ts'

const { markDone, rejectRequest } = reservedActions

// Each command is imported when it runs, so that the others are not loaded.
const commands: Record<string, { run(argv: string[]): Promise<number>; usage: string; about: string }> = {
  setup: {
    run: async (argv) => (await import('./setup.ts')).setup(argv),
    usage: 'setup --workspace NAME --email E --password P [--name N] [--json]',
    about:
      'Create a workspace with its owner and a webhook secret. If a workspace with this name exists, the person joins it as a member. Each run creates an API key.',
  },
  keys: {
    run: async (argv) => (await import('./keys.ts')).keys(argv),
    usage:
      'keys list | create NAME [--scopes tasks,tasks:read,analysis:read] [--apps A,B] [--types A,B] [--cidrs 203.0.113.0/24] | rotate KEY_ID | revoke KEY_ID  [--workspace NAME_OR_ID] [--json]',
    about: 'Manage the API keys of a workspace.',
  },
  answer: {
    run: async (argv) => (await import('./answer.ts')).answer(argv),
    usage: 'answer TASK_ID --action ID [--data JSON] [--revision N] --as EMAIL [--json]',
    about: `Answer a task on behalf of a member. ID is an action of the task, or ${markDone.id}, or ${rejectRequest.id} with --data '{"feedback":"…"}'.`,
  },
  rules: {
    run: async (argv) => (await import('./rules.ts')).rules(argv),
    usage: 'rules pause-all [--workspace NAME_OR_ID] [--json]',
    about: 'Pause all standing rules of a workspace. Their tasks go to people.',
  },
  demo: {
    run: async (argv) => (await import('./demo.ts')).demo(argv),
    usage: 'demo [--workspace NAME_OR_ID] [--json]',
    about: 'Fill an empty workspace with 30 days of sample tasks.',
  },
  'password-reset': {
    run: async (argv) => (await import('./password-reset.ts')).passwordReset(argv),
    usage: 'password-reset --email E [--password P] [--disable-two-factor] [--json]',
    about:
      'Set a new password for a person (without --password, a random one is printed), end all their sessions, disconnect their apps, unlink their Slack user and stop their push messages. --disable-two-factor also turns off two-factor authentication.',
  },
  'sign-in-link': {
    run: async (argv) => (await import('./sign-in-link.ts')).signInLink(argv),
    usage: 'sign-in-link --email E [--json]',
    about:
      'Create a link that signs a person in once, for when single sign-on does not work and passwords are off.',
  },
  people: {
    run: async (argv) => (await import('./people.ts')).people(argv),
    usage: 'people verify --email E [--json]',
    about: 'Mark the email address of a person as verified, so that their answers count as verified.',
  },
  audit: {
    run: async (argv) => (await import('./audit.ts')).audit(argv),
    usage: 'audit verify [--workspace NAME_OR_ID] [--against FILE] [--json]',
    about:
      'Verify the audit log of all workspaces or of one. --against compares it with heads saved in a file.',
  },
  backup: {
    run: async (argv) => (await import('./backup.ts')).backup(argv),
    usage: 'backup FILE [--passphrase] [--json]',
    about:
      'Write all data to one file; the service may be running. --passphrase includes the secrets, encrypted.',
  },
  restore: {
    run: async (argv) => (await import('./restore.ts')).restore(argv),
    usage: 'restore FILE [--passphrase] [--json]',
    about: 'Load a backup into an empty database: DATABASE_URL, or a new private PostgreSQL in DATA_DIR.',
  },
  move: {
    run: async (argv) => (await import('./move.ts')).move(argv),
    usage: 'move --to URL | private  [--json]',
    about: 'Copy all data to another, empty database. Stop the service first.',
  },
  migrate: {
    run: async (argv) => (await import('./migrate.ts')).migrate(argv),
    usage: 'migrate',
    about: 'Run pending migrations.',
  },
  doctor: {
    run: async (argv) => (await import('./doctor.ts')).doctor(argv),
    usage: 'doctor [--json]',
    about: 'Check this installation and report problems. Runs no migrations.',
  },
}

/** Runs `handrail WORDS…`, and returns the exit code. */
export async function runCommand([name = '', ...argv]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (['', 'help', '--help', '-h'].includes(name)) {
    printHelp()
    return 0
  }
  if (!command) {
    const meant = nearest(name, Object.keys(commands))
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
    process.stderr.write(`Unknown command "${name}".${hint} Run handrail help for all commands.\n`)
    return 2
  }
  if (['--help', '-h'].includes(argv[0] ?? '')) {
    process.stdout.write(`${command.about}\nUsage: handrail ${command.usage}\n`)
    return 0
  }
  try {
    return await command.run(argv)
  } catch (error) {
    process.stderr.write(`handrail ${name}: ${explain(error)}\n`)
    if (error instanceof UsageError) process.stderr.write(`Usage: handrail ${command.usage}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

function printHelp(): void {
  const out = process.stdout
  out.write('Usage: handrail COMMAND\n\n')
  for (const { usage, about } of Object.values(commands)) out.write(`  handrail ${usage}\n      ${about}\n`)
  out.write(
    '\nIn a clone, run `npm run handrail -- COMMAND`. In an installation or a container, run `node dist/cli/main.js COMMAND`.\n',
  )
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.mistakes.join(' ')
  if (error instanceof DomainProblem) {
    const details = error.errors?.map(({ path, message }) => `\n  ${path}: ${message}`).join('') ?? ''
    // The message contains a single error already.
    return (error.errors?.length ?? 0) > 1 ? error.message + details : error.message
  }
  if (error instanceof UsageError || error instanceof StartError) return error.message
  return (
    explainDatabaseError(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
  )
}
