import { StartError } from '../../lib/start-error.ts'

/** Why data cannot be carried. The message is a sentence for the operator that says what to do. */
export class BackupError extends StartError {
  override name = 'BackupError'
}

export class DamagedBackup extends BackupError {
  constructor(what: string) {
    super(`The backup is damaged: ${what}. Nothing was restored. Take another copy of it, or an earlier one.`)
  }
}
