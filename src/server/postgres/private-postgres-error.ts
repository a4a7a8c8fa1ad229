import { StartError } from '../lib/start-error.ts'

/** The private PostgreSQL cannot be used. The message is a sentence for the operator that says what to do. */
export class PrivatePostgresError extends StartError {
  override name = 'PrivatePostgresError'
}

/** A second service on the folder: the one case that time does not mend. */
export class AnotherService extends PrivatePostgresError {}
