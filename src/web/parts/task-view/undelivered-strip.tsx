import { Link } from '@tanstack/react-router'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Strip } from '../../ui/strip.tsx'

/** `subject`: what was not delivered, such as "An email". */
export default function UndeliveredStrip({ subject, hasFailed }: { subject: string; hasFailed: boolean }) {
  const { workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  return (
    <Strip tone="warn">
      {subject} about this task {hasFailed ? "couldn't be delivered" : "hasn't been delivered yet"}.{' '}
      {isAtLeast('admin') ? (
        <>
          See{' '}
          <Link to="/w/$workspaceId/settings/$page" params={{ workspaceId, page: 'webhooks' }}>
            Settings, Webhooks
          </Link>{' '}
          for details.
        </>
      ) : (
        'Ask an admin to check Settings, Webhooks.'
      )}
    </Strip>
  )
}
