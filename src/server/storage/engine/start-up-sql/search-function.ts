// A search scans this many tasks before it estimates how common the words are. Words are rare if
// fewer than one in `rareBelow` tasks matches. With filters, more tasks are scanned before the
// words count as rare, because the word index has no filters and may return far too many rows.
const firstScan = 1_000
const rareBelow = 200
const rareBelowWithFilters = 1_000

/**
 * Searches one workspace. SECURITY DEFINER, because the match operator is not leakproof: under a
 * policy the planner could not use the word index.
 */
export function searchFunction(schema: string): string {
  return `
-- The signatures of older releases.
DROP FUNCTION IF EXISTS ${schema}.search_tasks(
  text[], text, text, text, text, smallint, text, timestamptz, text, integer);
DROP FUNCTION IF EXISTS ${schema}.search_tasks(
  text[], text, text, text[], text[], smallint, text, text, text, text, timestamptz, timestamptz, timestamptz, text, integer);
DROP FUNCTION IF EXISTS ${schema}.search_tasks(
  text[], text, text, text[], text[], smallint, text, text, text, text, timestamptz, timestamptz, boolean, timestamptz, text, integer);
CREATE OR REPLACE FUNCTION ${schema}.search_tasks(
  words text[], last_word text, wanted_status text, wanted_types text[], wanted_apps text[], wanted_priority smallint,
  wanted_assignee text, wanted_version text, wanted_person text, wanted_action text, wanted_rule text, ended_after timestamptz,
  ended_before timestamptz, only_late boolean, before_at timestamptz, before_id text, page integer)
RETURNS TABLE (task_id text, created_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  workspace text := ${schema}.app_workspace();
  wanted tsquery := (quote_literal(last_word) || ':*')::tsquery;
  newest text;
  filters text;
  word text;
  one_in integer := ${rareBelow};
  scanned integer := 0;
  next_scan integer := ${firstScan};
  found integer := 0;
  matched integer;
BEGIN
  IF workspace IS NULL OR workspace = '' THEN RETURN; END IF;
  FOREACH word IN ARRAY words LOOP wanted := wanted && quote_literal(word)::tsquery; END LOOP;
  before_at := coalesce(before_at, 'infinity');
  before_id := coalesce(before_id, '');
  -- No task ends before it was created.
  IF ended_before < before_at THEN before_at := ended_before; before_id := ''; END IF;
  IF coalesce(wanted_status, wanted_types::text, wanted_apps::text, wanted_priority::text, wanted_assignee, wanted_version, wanted_person,
    wanted_action, wanted_rule, ended_after::text, ended_before::text, nullif(only_late, false)::text) IS NOT NULL THEN
    one_in := ${rareBelowWithFilters};
    filters := 't.id = s.task_id AND t.workspace_id = $1'
      || CASE WHEN wanted_status IS NULL THEN '' ELSE ' AND t.status = $5' END
      || CASE WHEN wanted_types IS NULL THEN '' ELSE ' AND t.type = ANY ($6)' END
      || CASE WHEN wanted_apps IS NULL THEN '' ELSE ' AND t.app = ANY ($7)' END
      || CASE WHEN wanted_priority IS NULL THEN '' ELSE ' AND t.priority = $10' END
      -- Ids of assignees, separated by spaces; an empty text means unassigned tasks.
      || CASE WHEN wanted_assignee IS NULL THEN '' WHEN wanted_assignee = '' THEN ' AND t.assigned_to IS NULL'
         ELSE ' AND t.assigned_to = ANY (string_to_array($11, '' ''))' END
      || CASE WHEN wanted_version IS NULL THEN '' ELSE ' AND t.version = $12' END
      || CASE WHEN wanted_person IS NULL THEN '' ELSE ' AND t.handled_by = $13' END
      || CASE WHEN wanted_action IS NULL THEN '' ELSE ' AND t.action_id = $14' END
      || CASE WHEN wanted_rule IS NULL THEN '' ELSE ' AND t.rule_id = $17' END
      || CASE WHEN ended_after IS NULL THEN '' ELSE ' AND t.ended_at > $15' END
      || CASE WHEN ended_before IS NULL THEN '' ELSE ' AND t.ended_at < $16' END
      || CASE WHEN only_late THEN ' AND t.agent_due_at IS NULL AND t.answer_by <= ${schema}.app_now()' ELSE '' END;
  END IF;
  -- Open tasks are few compared with ended ones: with a status, only tasks of that status are scanned.
  newest := CASE WHEN wanted_status IS NULL THEN
      'SELECT * FROM ${schema}.task_search WHERE workspace_id = $1 AND (created_at, task_id) < ($3, $4)
       ORDER BY created_at DESC, task_id DESC'
    ELSE
      'SELECT document.* FROM (
         SELECT id, created_at FROM ${schema}.tasks WHERE workspace_id = $1 AND status = $5 AND (created_at, id) < ($3, $4)
         ORDER BY created_at DESC, id DESC LIMIT $9) t
       CROSS JOIN LATERAL (SELECT * FROM ${schema}.task_search WHERE task_id = t.id LIMIT 1) document
       ORDER BY t.created_at DESC, t.id DESC' END;
  -- How common words (and especially prefixes) are is not known in advance. So tasks are scanned, newest first, as long
  -- as enough of them match. Once the words turn out to be rare, the word index finds the rest.
  LOOP
    RETURN QUERY EXECUTE
      'SELECT s.task_id, s.created_at FROM (' || newest || ' LIMIT $9) s
       WHERE s.document @@ $2' || coalesce(' AND (SELECT true FROM ${schema}.tasks t WHERE ' || filters || ')', '') || '
       ORDER BY s.created_at DESC, s.task_id DESC LIMIT $8'
      USING workspace, wanted, before_at, before_id, wanted_status, wanted_types, wanted_apps, page - found, next_scan,
        wanted_priority, wanted_assignee, wanted_version, wanted_person, wanted_action, ended_after, ended_before, wanted_rule;
    GET DIAGNOSTICS matched = ROW_COUNT;
    found := found + matched;
    IF found = page THEN RETURN; END IF;
    IF wanted_status IS NULL THEN
      SELECT s.created_at, s.task_id INTO before_at, before_id FROM ${schema}.task_search s
      WHERE s.workspace_id = workspace AND (s.created_at, s.task_id) < (before_at, before_id)
      ORDER BY s.created_at DESC, s.task_id DESC OFFSET next_scan - 1 LIMIT 1;
    ELSE
      SELECT t.created_at, t.id INTO before_at, before_id FROM ${schema}.tasks t
      WHERE t.workspace_id = workspace AND t.status = wanted_status AND (t.created_at, t.id) < (before_at, before_id)
      ORDER BY t.created_at DESC, t.id DESC OFFSET next_scan - 1 LIMIT 1;
    END IF;
    IF before_at IS NULL THEN RETURN; END IF;
    scanned := scanned + next_scan;
    EXIT WHEN found * one_in < scanned;
    next_scan := 2 * scanned;
  END LOOP;
  RETURN QUERY EXECUTE
    'WITH rare AS MATERIALIZED (
       SELECT s.task_id, s.created_at FROM ${schema}.task_search s' || coalesce(' JOIN ${schema}.tasks t ON ' || filters, '') || '
       WHERE s.workspace_id = $1 AND s.document @@ $2 AND (s.created_at, s.task_id) < ($3, $4))
     SELECT * FROM rare ORDER BY created_at DESC, task_id DESC LIMIT $8'
    USING workspace, wanted, before_at, before_id, wanted_status, wanted_types, wanted_apps, page - found, next_scan,
      wanted_priority, wanted_assignee, wanted_version, wanted_person, wanted_action, ended_after, ended_before, wanted_rule;
END
$$;
`
}
