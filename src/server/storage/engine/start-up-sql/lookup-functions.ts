/**
 * Functions that find a workspace for a request, and so read across workspaces. They run with the
 * owner's rights, so all names are qualified and the search path is fixed: a caller's temporary
 * tables come last. The first one, app_now(), is the clock that they and all other statements use.
 * It has milliseconds, because cursors contain timestamps written by toISOString.
 */
export function lookupFunctions(schema: string): string {
  return `
CREATE OR REPLACE FUNCTION ${schema}.app_now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('milliseconds', statement_timestamp()
    + coalesce((SELECT amount FROM ${schema}.clock_offset), interval '0')) $$;

-- Its columns differ from those of older releases.
DROP FUNCTION IF EXISTS ${schema}.find_api_key(text);
CREATE FUNCTION ${schema}.find_api_key(wanted_digest text)
RETURNS TABLE (key_id text, workspace_id text, workspace_name text, name text, scopes text[], apps text[], types text[],
  cidrs text[], valid_until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT k.id, k.workspace_id, w.name, k.name, k.scopes, k.apps, k.types, k.cidrs, least(k.expires_at, s.expires_at)
  FROM ${schema}.api_key_secrets s JOIN ${schema}.api_keys k ON k.id = s.key_id JOIN ${schema}.workspaces w ON w.id = k.workspace_id
  WHERE s.digest = wanted_digest AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > ${schema}.app_now()) AND (s.expires_at IS NULL OR s.expires_at > ${schema}.app_now())
  UNION ALL
  -- An access token of a connected app acts as its grant. Removing the member or the permission revokes the grant; the joins
  -- ensure that no token outlives either.
  SELECT g.id, g.workspace_id, w.name, g.client_name, g.scopes, NULL, NULL, NULL, t.expires_at
  FROM ${schema}.oauth_tokens t JOIN ${schema}.oauth_grants g ON g.id = t.grant_id
    JOIN ${schema}.workspaces w ON w.id = g.workspace_id AND w.allows_apps
    JOIN ${schema}.members m ON m.workspace_id = g.workspace_id AND m.user_id = g.user_id
  WHERE t.digest = wanted_digest AND t.kind = 'access' AND g.revoked_at IS NULL AND t.expires_at > ${schema}.app_now()
$$;

CREATE OR REPLACE FUNCTION ${schema}.find_oauth_token(wanted_digest text)
RETURNS TABLE (workspace_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.workspace_id FROM ${schema}.oauth_tokens t WHERE t.digest = wanted_digest
$$;

CREATE OR REPLACE FUNCTION ${schema}.workspaces_of_person(wanted_user text)
RETURNS TABLE (workspace_id text, workspace_name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT w.id, w.name, m.role FROM ${schema}.members m JOIN ${schema}.workspaces w ON w.id = m.workspace_id
  WHERE m.user_id = wanted_user ORDER BY w.name, w.id
$$;

CREATE OR REPLACE FUNCTION ${schema}.find_invitation(wanted_digest text)
RETURNS TABLE (invitation_id text, workspace_id text, expired boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT id, i.workspace_id, expires_at <= ${schema}.app_now() FROM ${schema}.invitations i
  WHERE token_digest = wanted_digest AND accepted_at IS NULL
$$;

CREATE OR REPLACE FUNCTION ${schema}.find_invitations_to(wanted_email text)
RETURNS TABLE (invitation_id text, workspace_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT id, i.workspace_id FROM ${schema}.invitations i
  WHERE email = wanted_email AND accepted_at IS NULL AND expires_at > ${schema}.app_now() ORDER BY created_at
$$;

DROP FUNCTION IF EXISTS ${schema}.webhook_of_task(text); -- from an older release
CREATE OR REPLACE FUNCTION ${schema}.webhook_of_task(wanted_task text, wanted_event text)
RETURNS TABLE (workspace_id text, created_by text, session_id text, sealed text[], event text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.workspace_id, t.created_by, t.session_id,
    ARRAY(SELECT s.sealed FROM ${schema}.webhook_secrets s
      WHERE s.workspace_id = t.workspace_id AND (s.expires_at IS NULL OR s.expires_at > ${schema}.app_now()) ORDER BY s.id DESC),
    (SELECT d.body FROM ${schema}.deliveries d
      WHERE d.workspace_id = t.workspace_id AND d.task_id = t.id AND d.kind = 'sse' AND d.event_id = wanted_event AND d.body <> ''
      LIMIT 1)
  FROM ${schema}.tasks t WHERE t.id = wanted_task
$$;

`
}
