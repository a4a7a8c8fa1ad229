/**
 * Settings for a small service that shares its machine. Operators who want other settings run their
 * own PostgreSQL and set DATABASE_URL. The settings are passed on the command line, so they
 * apply to existing data folders too. Durability settings and wal_level keep PostgreSQL's defaults.
 */
export const defaultSettings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB', // idle, with a service of one process it stays under 250 MB
  random_page_cost: '1.1', // for solid-state disks; the default of 4 is for spinning disks
  jit: 'off', // queries are short, and LLVM needs more memory than everything else
  idle_in_transaction_session_timeout: '60s', // a stuck transaction blocks the event log's readers
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C', // server-process.ts parses messages
  // One file per weekday, overwritten a week later. Level `log` omits errors of single statements:
  // the service logs those itself, and their details would contain task content.
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
