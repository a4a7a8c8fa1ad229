import { readConfig } from '../server/config.ts'

/** For commands that carry data and build no house: where it is, without the secrets it may do without. */
export function readTransferConfig() {
  const { config, secretConfig } = readConfig(process.env, [], { withoutSecrets: true })
  // Standard output is for the result alone.
  return { config, secretConfig, printLine: (line: string) => void process.stderr.write(`${line}\n`) }
}
