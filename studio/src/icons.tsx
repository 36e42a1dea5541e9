// Icons of the page, drawn for it: lines on a field of 20 by 20.

const PATHS = {
  back: "M12.5 4.5L7 10l5.500 5.500",
  forward: "M7.500 4.500L13 10l-5.500 5.500",
  first: "M14.500 4.500L9 10l5.500 5.500M5 4.500v11",
  last: "M5.500 4.500L11 10l-5.500 5.500M15 4.500v11",
  undo: "M4 8h8.500a4.500 4.500 0 0 1 0 9H8M7.500 4.500L4 8l3.500 3.500",
  hint: "M7.500 14.500h5M8 17.500h4M10 2.500a5.500 5.500 0 0 0-2.800 10.200v1.800h5.600v-1.800A5.500 5.500 0 0 0 10 2.500z",
  turn: "M6.500 3v13.500M3.500 6L6.500 3l3 3M13.500 17V3.500M10.500 14l3 3 3-3",
  more: "M4.500 10h.01M10 10h.01M15.500 10h.01",
  plus: "M10 4v12M4 10h12",
  share: "M10 12.500V2.500M6.500 6L10 2.500 13.500 6M4 11v6.500h12V11",
  theme: "M16.500 11.500A7 7 0 0 1 8.500 3.500a7 7 0 1 0 8 8z",
  search: "M9 15.500a6.500 6.500 0 1 1 0-13 6.500 6.500 0 0 1 0 13zM14 14l4 4",
  again: "M15.500 5.500V2.500M15.500 5.500H12.500M15.300 5.500A7 7 0 1 0 17 10",
  eye: "M1.500 10S4.500 4.500 10 4.500 18.500 10 18.500 10 15.500 15.500 10 15.500 1.500 10 1.500 10zM10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  book: "M10 5.500C8 3.800 5 3.500 2.500 4v12c2.500-.500 5.500-.200 7.500 1.500 2-1.700 5-2 7.500-1.500V4C15 3.500 12 3.800 10 5.500zM10 5.500v12",
  check: "M4 10.500l4 4 8-9",
};

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class={`i icon-${name}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="mark" viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="8" class="ground" />
      <path d="M7.500 20.500V13l6.500 3 6.500-8.500" class="way" />
      <circle cx="7.500" cy="20.500" r="3" />
      <circle cx="14" cy="16" r="2.300" />
      <circle cx="20.500" cy="7.500" r="3" />
    </svg>
  );
}
