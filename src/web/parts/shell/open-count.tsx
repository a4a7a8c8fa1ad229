import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/person.ts'

// Pages without the inbox stream may show a slightly outdated count.
const everyMilliseconds = 30_000

export function OpenCount({ known }: { known: number | undefined }) {
  const { workspaceId, api } = useWorkspace()
  const asked = useQuery({
    queryKey: ['open-count', workspaceId],
    queryFn: async ({ signal }) => (await api.inbox({ limit: 1 }, signal)).counts.open,
    refetchInterval: everyMilliseconds,
    enabled: known === undefined,
  })
  const open = known ?? asked.data ?? 0
  if (open === 0) return null
  return (
    <span className="count">
      {open > 999 ? '999+' : open}
      <span className="sr-only"> open</span>
    </span>
  )
}
