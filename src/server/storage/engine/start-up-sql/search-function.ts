// A search reads this many tasks before it estimates how common the words are. Words are scarce when fewer than one task in
// `scarce` matches. With filters it reads on for longer: the index of words knows no filters and may return far too many rows.
const firstLook = 1_000
const scarce = 200
const scarceWithFilters = 1_000

/**
 * Searches one workspace. A definer function, because the match operator is not leakproof: under a policy the planner could not
 * use the index of words.
 */
export function searchFunction(schema: string): string {
  return `
CREATE OR REPLACE FUNCTION ${schema}.search_tasks(
  words text[], last_word text, wanted_status text, wanted_type text, wanted_app text, wanted_priority smallint,
  wanted_assignee text, before_at timestamptz, before_id text, page integer)
RETURNS TABLE (task_id text, created_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  workspace text := ${schema}.app_workspace();
  wanted tsquery := (quote_literal(last_word) || ':*')::tsquery;
  newest text;
  filters text;
  word text;
  one_in integer := ${scarce};
  looked_through integer := 0;
  next_look integer := ${firstLook};
  found integer := 0;
  new_ones integer;
BEGIN
  IF workspace IS NULL OR workspace = '' THEN RETURN; END IF;
  FOREACH word IN ARRAY words LOOP wanted := wanted && quote_literal(word)::tsquery; END LOOP;
  before_at := coalesce(before_at, 'infinity');
  before_id := coalesce(before_id, '');
  IF coalesce(wanted_status, wanted_type, wanted_app, wanted_priority::text, wanted_assignee) IS NOT NULL THEN
    one_in := ${scarceWithFilters};
    filters := 't.id = s.task_id AND t.workspace_id = $1'
      || CASE WHEN wanted_status IS NULL THEN '' ELSE ' AND t.status = $5' END
      || CASE WHEN wanted_type IS NULL THEN '' ELSE ' AND t.type = $6' END
      || CASE WHEN wanted_app IS NULL THEN '' ELSE ' AND t.app = $7' END
      || CASE WHEN wanted_priority IS NULL THEN '' ELSE ' AND t.priority = $10' END
      -- An empty text stands for nobody.
      || CASE WHEN wanted_assignee IS NULL THEN '' WHEN wanted_assignee = '' THEN ' AND t.assigned_to IS NULL'
         ELSE ' AND t.assigned_to = $11' END;
  END IF;
  -- Open tasks are few among those that have ended: with a status only tasks of that status are looked through.
  newest := CASE WHEN wanted_status IS NULL THEN
      'SELECT * FROM ${schema}.task_search WHERE workspace_id = $1 AND (created_at, task_id) < ($3, $4)
       ORDER BY created_at DESC, task_id DESC'
    ELSE
      'SELECT document.* FROM (
         SELECT id, created_at FROM ${schema}.tasks WHERE workspace_id = $1 AND status = $5 AND (created_at, id) < ($3, $4)
         ORDER BY created_at DESC, id DESC LIMIT $9) t
       CROSS JOIN LATERAL (SELECT * FROM ${schema}.task_search WHERE task_id = t.id LIMIT 1) document
       ORDER BY t.created_at DESC, t.id DESC' END;
  -- How common words are cannot be known before, least of all beginnings of words. So tasks are looked through, newest
  -- first, as long as enough of them fit. Once they turn out to be scarce, the index of words finds the rest.
  LOOP
    RETURN QUERY EXECUTE
      'SELECT s.task_id, s.created_at FROM (' || newest || ' LIMIT $9) s
       WHERE s.document @@ $2' || coalesce(' AND (SELECT true FROM ${schema}.tasks t WHERE ' || filters || ')', '') || '
       ORDER BY s.created_at DESC, s.task_id DESC LIMIT $8'
      USING workspace, wanted, before_at, before_id, wanted_status, wanted_type, wanted_app, page - found, next_look,
        wanted_priority, wanted_assignee;
    GET DIAGNOSTICS new_ones = ROW_COUNT;
    found := found + new_ones;
    IF found = page THEN RETURN; END IF;
    IF wanted_status IS NULL THEN
      SELECT s.created_at, s.task_id INTO before_at, before_id FROM ${schema}.task_search s
      WHERE s.workspace_id = workspace AND (s.created_at, s.task_id) < (before_at, before_id)
      ORDER BY s.created_at DESC, s.task_id DESC OFFSET next_look - 1 LIMIT 1;
    ELSE
      SELECT t.created_at, t.id INTO before_at, before_id FROM ${schema}.tasks t
      WHERE t.workspace_id = workspace AND t.status = wanted_status AND (t.created_at, t.id) < (before_at, before_id)
      ORDER BY t.created_at DESC, t.id DESC OFFSET next_look - 1 LIMIT 1;
    END IF;
    IF before_at IS NULL THEN RETURN; END IF;
    looked_through := looked_through + next_look;
    EXIT WHEN found * one_in < looked_through;
    next_look := 2 * looked_through;
  END LOOP;
  RETURN QUERY EXECUTE
    'WITH scarce AS MATERIALIZED (
       SELECT s.task_id, s.created_at FROM ${schema}.task_search s' || coalesce(' JOIN ${schema}.tasks t ON ' || filters, '') || '
       WHERE s.workspace_id = $1 AND s.document @@ $2 AND (s.created_at, s.task_id) < ($3, $4))
     SELECT * FROM scarce ORDER BY created_at DESC, task_id DESC LIMIT $8'
    USING workspace, wanted, before_at, before_id, wanted_status, wanted_type, wanted_app, page - found, next_look,
      wanted_priority, wanted_assignee;
END
$$;
`
}
