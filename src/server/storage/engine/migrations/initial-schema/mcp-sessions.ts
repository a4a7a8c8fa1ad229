/**
 * Message numbers are assigned under the session's row lock, so readers never see a gap that is
 * filled later.
 */
export const mcpSessions = `
CREATE TABLE mcp_sessions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  key_id text NOT NULL,
  protocol_version text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  used_at timestamptz NOT NULL DEFAULT app_now(),
  last_number bigint NOT NULL DEFAULT 0,
  written_number bigint NOT NULL DEFAULT 0,
  stream_token text,
  stream_seen_at timestamptz
);
CREATE INDEX mcp_sessions_streaming ON mcp_sessions (key_id) WHERE stream_token IS NOT NULL;
CREATE INDEX mcp_sessions_used ON mcp_sessions (used_at);

CREATE TABLE mcp_session_messages (
  session_id text NOT NULL REFERENCES mcp_sessions ON DELETE CASCADE,
  number bigint NOT NULL,
  event_id text NOT NULL,
  message text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (session_id, number),
  UNIQUE (session_id, event_id)
);
CREATE INDEX mcp_session_messages_age ON mcp_session_messages (created_at);
`
