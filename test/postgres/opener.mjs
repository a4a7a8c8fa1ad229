// Opens a private PostgreSQL in a separate process, so that tests can kill it. Runs in the checkout that
// checkout.ts creates. Reports one line of JSON per event. "close" on stdin, or its end, closes it.
import { createInterface } from 'node:readline'
import { openPrivatePostgres } from './src/server/postgres/private-postgres.js'

const report = (event) => console.log(JSON.stringify(event))
process.on('SIGINT', () => report({ interrupted: true }))

try {
  const { lost, close, ...postgres } = await openPrivatePostgres({
    ...JSON.parse(process.argv[2]),
    printLine: (line) => report({ printed: line }),
    log: (message) => report({ log: message }),
  })
  report({ open: postgres })
  void lost.then((error) => report({ lost: error.message }))
  const commands = createInterface({ input: process.stdin })
  commands.on('line', (line) => {
    if (line === 'close') commands.close()
    if (line === 'exit') process.exit(0)
  })
  commands.once('close', async () => {
    await close()
    report({ closed: true })
    process.exit(0)
  })
} catch (error) {
  report({ error: { name: error.name, message: error.message } })
  process.exit(1)
}
