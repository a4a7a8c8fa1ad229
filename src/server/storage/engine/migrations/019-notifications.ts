import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [routes, deliveries, people, slack]) await sql.raw(statements).execute(db)
}

const routes = `
-- One row per person and medium (route: the person's id), one for the chat webhook (route: 'chat'), and one per Slack channel and subject
-- (route: an id of its own). A subject is a policy or a group whose tasks the channel gets; without one, it gets all tasks.
ALTER TABLE notification_routes
  DROP CONSTRAINT notification_routes_check,
  DROP CONSTRAINT notification_routes_pkey,
  ADD COLUMN medium text NOT NULL DEFAULT 'mail' CHECK (medium IN ('mail', 'push', 'slack', 'chat')),
  -- Priorities by their index, and -1 for what is assigned or addressed to the person.
  ADD COLUMN wants smallint[] NOT NULL DEFAULT '{}',
  -- The id and name of a Slack channel, and the policy or group whose tasks it gets.
  ADD COLUMN slack_channel json;
UPDATE notification_routes SET
  medium = CASE route WHEN 'chat' THEN 'chat' ELSE 'mail' END,
  wants = ARRAY(SELECT generate_series(CASE route WHEN 'chat' THEN 0 ELSE -1 END, up_to)::smallint);
ALTER TABLE notification_routes
  DROP COLUMN up_to,
  ALTER COLUMN medium DROP DEFAULT,
  ALTER COLUMN wants DROP DEFAULT,
  ADD PRIMARY KEY (workspace_id, route, medium),
  ADD CHECK ((medium = 'chat') = (sealed_url IS NOT NULL));
`

const deliveries = `
ALTER TABLE deliveries
  DROP CONSTRAINT deliveries_kind_check,
  DROP CONSTRAINT deliveries_check1,
  -- The Slack channel or user that a message is sent to.
  ADD COLUMN target text,
  ADD CONSTRAINT deliveries_kind_check
    CHECK (kind IN ('callback', 'sse', 'notice', 'mail', 'chat', 'push', 'slack')) NOT VALID,
  ADD CONSTRAINT deliveries_recipient_check CHECK (kind NOT IN ('mail', 'push') OR recipient IS NOT NULL) NOT VALID,
  ADD CONSTRAINT deliveries_target_check CHECK ((kind = 'slack') = (target IS NOT NULL)) NOT VALID;
`

const people = `
CREATE TABLE quiet_hours (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  -- Minutes of the day in the time zone. From a later to an earlier minute: overnight.
  from_minute smallint NOT NULL,
  to_minute smallint NOT NULL,
  time_zone text NOT NULL,
  except_urgent boolean NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);

-- Tasks that a person hears of later, together: after quiet hours, or in the hourly email.
CREATE TABLE held_notifications (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  medium text NOT NULL CHECK (medium IN ('mail', 'push', 'slack')),
  task_id text NOT NULL,
  -- What happened, shown if it is the only task: New, The agent replied, …
  label text NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, user_id, medium, task_id)
);
CREATE INDEX held_notifications_due ON held_notifications (due_at);

-- Browsers that get push messages. Endpoint and keys are sealed: whoever has them can send messages to the browser.
CREATE TABLE push_subscriptions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  endpoint_digest text NOT NULL,
  sealed text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (workspace_id, endpoint_digest)
);
CREATE INDEX push_subscriptions_person ON push_subscriptions (workspace_id, user_id);
`

const slack = `
CREATE TABLE slack_connections (
  workspace_id text PRIMARY KEY,
  team_id text NOT NULL,
  team_name text NOT NULL,
  bot_user_id text NOT NULL,
  sealed_token text NOT NULL,
  sealed_signing_secret text NOT NULL,
  connected_by text NOT NULL,
  connected_at timestamptz NOT NULL DEFAULT app_now(),
  -- The last refusal that an admin has to mend. Null: the last message was accepted.
  problem text,
  problem_at timestamptz
);

-- Which Slack user is which member. Linked only by a code that the signed-in member sent to the app.
CREATE TABLE slack_people (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  slack_user_id text NOT NULL,
  slack_name text NOT NULL,
  linked_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, user_id),
  UNIQUE (workspace_id, slack_user_id)
);
CREATE TABLE slack_codes (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  code_digest text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);

-- Messages about tasks, to rewrite them when the task changes.
CREATE TABLE slack_messages (
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  -- The channel or user that the message was sent to.
  target text NOT NULL,
  -- As Slack returned them: the conversation and the timestamp that identifies the message in it.
  channel_id text NOT NULL,
  message_ts text NOT NULL,
  -- The state of the task that the message shows.
  shown text NOT NULL,
  -- It shows the end of the task.
  is_final boolean NOT NULL DEFAULT false,
  posted_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, task_id, target)
);
CREATE INDEX slack_messages_open ON slack_messages (workspace_id, task_id) WHERE NOT is_final;
`
