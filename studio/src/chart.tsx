// A line over a game or a match: values from below to above, with a place that is chosen.

export interface Point {
  /** From 0, below, to 1, above. */
  value: number;
  title: string;
  /** What is marked there: the name of a mistake. */
  sign?: string;
}

const WIDTH = 400;
const HEIGHT = 90;

export function Chart(props: {
  label: string;
  points: Point[];
  /** What is half way, drawn as a line of its own. */
  middle?: number;
  /** What is above, and what is below. */
  ends?: [string, string];
  now?: number;
  choose?(number: number): void;
}) {
  const { label, points, middle = 0.5, ends, now, choose } = props;
  const x = (i: number) => (points.length < 2 ? WIDTH / 2 : 6 + ((WIDTH - 12) * i) / (points.length - 1));
  const y = (value: number) => 6 + (HEIGHT - 12) * (1 - value);
  const path = points.map((point, i) => `${x(i).toFixed(1)},${y(point.value).toFixed(1)}`).join(" ");
  const nearest = (event: MouseEvent) => {
    const frame = (event.currentTarget as Element).getBoundingClientRect();
    const at = ((event.clientX - frame.left) / frame.width) * WIDTH;
    return points.reduce((best, _, i) => (Math.abs(x(i) - at) < Math.abs(x(best) - at) ? i : best), 0);
  };
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} onClick={(e) => choose?.(nearest(e))}>
      <title>{label}</title>
      <line class="middle" x1="0" x2={WIDTH} y1={y(middle)} y2={y(middle)} />
      {ends && <text x="8" y="14">{ends[0]}</text>}
      {ends && <text x="8" y={HEIGHT - 6}>{ends[1]}</text>}
      <polyline points={path} />
      {now !== undefined && now >= 0 && <line class="here" x1={x(now)} x2={x(now)} y1="0" y2={HEIGHT} />}
      {points.map((point, i) => (
        <circle class={[point.sign ?? "", i === now ? "now" : ""].join(" ").trim()} cx={x(i)} cy={y(point.value)} r={point.sign || i === now ? 5 : points.length > 60 ? 1 : 2.5}>
          <title>{point.title}</title>
        </circle>
      ))}
    </svg>
  );
}
