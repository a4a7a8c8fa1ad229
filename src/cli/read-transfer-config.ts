import { readConfig } from '../server/config.ts'

/** Configuration for commands that copy data without opening the service, so secrets are optional. */
export function readTransferConfig() {
  const { config, secretConfig } = readConfig(process.env, [], { withoutSecrets: true })
  // Standard output is reserved for the result.
  return { config, secretConfig, printLine: (line: string) => void process.stderr.write(`${line}\n`) }
}
