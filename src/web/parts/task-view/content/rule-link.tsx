import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'

/** "Rule", or its name if it is known, as a link to its page. */
export function RuleLink({ ruleId, name }: { ruleId: string; name?: string | undefined }) {
  const { workspaceId } = useWorkspace()
  return (
    <Link className="link" to="/w/$workspaceId/rules/$ruleId" params={{ workspaceId, ruleId }}>
      {name === undefined ? 'Rule' : <bdi>{bidiSafe(name)}</bdi>}
    </Link>
  )
}
