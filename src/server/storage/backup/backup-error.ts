import { StartError } from '../../lib/start-error.ts'

/** A backup, restore or move failed. The message tells the operator what to do. */
export class BackupError extends StartError {
  override name = 'BackupError'
}

export class DamagedBackup extends BackupError {
  constructor(problem: string) {
    super(`The backup is damaged: ${problem}. Nothing was restored; use another copy or an earlier backup.`)
  }
}
