/**
 * For a small service that shares its machine. Given on the command line, so that they hold for old data folders too;
 * who wants to tune a PostgreSQL runs their own and sets DATABASE_URL. Durability (fsync, full_page_writes,
 * synchronous_commit) and wal_level stay as PostgreSQL ships them.
 */
export const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB', // service and PostgreSQL stay under 250 MB together
  random_page_cost: '1.1', // on solid-state disks; the shipped 4 is for turning ones
  jit: 'off', // our queries are short; loading LLVM costs more memory than everything else
  idle_in_transaction_session_timeout: '60s', // a stuck transaction holds back the event log's readers
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C', // server-process.ts reads them
  // One file a weekday, each written over a week later. `log` leaves out errors of single statements: the service
  // reports those itself, and their details would carry the contents of tasks.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  cluster_name: 'handrail',
}
