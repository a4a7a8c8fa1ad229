import { StartError } from '../lib/start-error.ts'

/** The private PostgreSQL cannot be used. The message tells the operator what to do. */
export class PrivatePostgresError extends StartError {
  override name = 'PrivatePostgresError'
}

/** A second service on the same data folder: the one error that retrying does not fix. */
export class AnotherService extends PrivatePostgresError {}
