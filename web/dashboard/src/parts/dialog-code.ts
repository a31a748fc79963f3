// Of a bundle its code is loaded apart: see dialog.tsx.
export { Drawer, Modal } from '@mantine/core';
