import { StartError } from '../lib/start-error.ts'

/** The private PostgreSQL cannot be used. The message tells the operator what to do. */
export class PrivatePostgresError extends StartError {
  override name = 'PrivatePostgresError'
}

/** Another service is running on the data folder. restartPostgres retries after every other error. */
export class AnotherService extends PrivatePostgresError {}
