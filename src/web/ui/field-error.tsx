import { TriangleAlert } from 'lucide-react'
import { Icon } from './icon.tsx'

export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p className="err" id={id}>
      <Icon of={TriangleAlert} />
      {children}
    </p>
  )
}
