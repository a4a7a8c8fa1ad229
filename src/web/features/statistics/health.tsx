import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { Statistics } from '../../../contract/statistics.ts'
import { Icon } from '../../ui/icon.tsx'

export function Health({ health }: { health: Statistics['pairs'][number]['health'] }) {
  if (health === 'too-few') return <span className="chip">Too few answers</span>
  return health === 'healthy' ? (
    <span className="chip pos">
      <Icon of={CircleCheck} />
      Healthy
    </span>
  ) : (
    <span className="chip warn">
      <Icon of={TriangleAlert} />
      Not healthy
    </span>
  )
}
