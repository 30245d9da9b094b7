// Name and character, in turn: the shortcodes that people and apps use most.
const known = `
  +1 👍  thumbsup 👍  -1 👎  thumbsdown 👎  wave 👋  clap 👏  pray 🙏  eyes 👀  raised_hand ✋  ok_hand 👌  muscle 💪
  point_right 👉  point_left 👈  point_up ☝️  point_down 👇  smile 😄  slightly_smiling_face 🙂  grinning 😀
  wink 😉  thinking_face 🤔  sweat_smile 😅  disappointed 😞  cry 😢  scream 😱  sleeping 😴  robot_face 🤖  ghost 👻
  skull 💀  white_check_mark ✅  heavy_check_mark ✔️  ballot_box_with_check ☑️  x ❌
  negative_squared_cross_mark ❎  warning ⚠️  rotating_light 🚨  no_entry ⛔  no_entry_sign 🚫  octagonal_sign 🛑
  exclamation ❗  question ❓  grey_question ❔  bangbang ‼️  information_source ℹ️  sos 🆘  new 🆕  ok 🆗  up 🆙
  free 🆓  red_circle 🔴  large_red_circle 🔴  large_orange_circle 🟠  large_yellow_circle 🟡
  large_green_circle 🟢  large_blue_circle 🔵  large_purple_circle 🟣  large_brown_circle 🟤  white_circle ⚪
  black_circle ⚫  large_red_square 🟥  large_orange_square 🟧  large_yellow_square 🟨  large_green_square 🟩
  large_blue_square 🟦  white_large_square ⬜  black_large_square ⬛  small_blue_diamond 🔹
  small_orange_diamond 🔸  arrow_up ⬆️  arrow_down ⬇️  arrow_left ⬅️  arrow_right ➡️  arrow_forward ▶️
  arrow_backward ◀️  arrows_counterclockwise 🔄  arrows_clockwise 🔃  repeat 🔁  leftwards_arrow_with_hook ↩️
  rewind ⏪  fast_forward ⏩  double_vertical_bar ⏸️  pause_button ⏸️  black_square_for_stop ⏹️  stop_button ⏹️
  hourglass ⌛  hourglass_flowing_sand ⏳  stopwatch ⏱️  alarm_clock ⏰  clock1 🕐  clock3 🕒  clock9 🕘
  calendar 📆  date 📅  zzz 💤  zap ⚡  fire 🔥  boom 💥  sparkles ✨  star ⭐  tada 🎉  rocket 🚀  bulb 💡  bell 🔔
  no_bell 🔕  mute 🔇  loudspeaker 📢  mega 📣  speech_balloon 💬  lock 🔒  unlock 🔓  closed_lock_with_key 🔐  key 🔑
  old_key 🗝️  shield 🛡️  label 🏷️  bookmark 🔖  link 🔗  paperclip 📎  pushpin 📌  round_pushpin 📍  mag 🔍
  mag_right 🔎  pencil 📝  memo 📝  pencil2 ✏️  clipboard 📋  scroll 📜  page_facing_up 📄  page_with_curl 📃  left_right_arrow ↔️  see_no_evil 🙈
  file_folder 📁  open_file_folder 📂  card_index_dividers 🗂️  wastebasket 🗑️  package 📦  inbox_tray 📥
  outbox_tray 📤  incoming_envelope 📨  email ✉️  envelope ✉️  floppy_disk 💾  cd 💿  dvd 📀  minidisc 💽  camera 📷  camera_with_flash 📸
  computer 💻  desktop_computer 🖥️  keyboard ⌨️  iphone 📱  telephone ☎️  telephone_receiver 📞  battery 🔋  electric_plug 🔌
  satellite 📡  satellite_antenna 📡  gear ⚙️  wrench 🔧  hammer 🔨  pick ⛏️  ring_buoy 🛟  hammer_and_wrench 🛠️  toolbox 🧰
  nut_and_bolt 🔩  construction 🚧  traffic_light 🚦  vertical_traffic_light 🚦  bar_chart 📊
  chart_with_upwards_trend 📈  chart_with_downwards_trend 📉  abacus 🧮  moneybag 💰  money_with_wings 💸
  credit_card 💳  euro 💶  dollar 💵  receipt 🧾  shopping_trolley 🛒  shopping_cart 🛒  gift 🎁
  globe_with_meridians 🌐  earth_africa 🌍  earth_americas 🌎  earth_asia 🌏  cloud ☁️  sunny ☀️  snowflake ❄️
  ice_cube 🧊  thermometer 🌡️  house 🏠  office 🏢  factory 🏭  door 🚪  ship 🚢  truck 🚚  ambulance 🚑
  fire_engine 🚒  adult 🧑  technologist 🧑‍💻  busts_in_silhouette 👥  bust_in_silhouette 👤  crown 👑
  video_game 🎮  joystick 🕹️  dart 🎯  trophy 🏆  bug 🐛  penguin 🐧  elephant 🐘  whale 🐳  heart ❤️
  broken_heart 💔  coffee ☕  bellhop_bell 🛎️  recycle ♻️  heavy_plus_sign ➕  heavy_minus_sign ➖  one 1️⃣
  two 2️⃣  three 3️⃣  four 4️⃣  five 5️⃣  100 💯  crescent_moon 🌙  test_tube 🧪  seedling 🌱  palm_tree 🌴  headstone 🪦
  coffin ⚰️  adhesive_bandage 🩹  camera_flash 📸  ladder 🪜  magnet 🧲  broom 🧹
`;

const words = known.trim().split(/\s+/);
const shortcodes = new Map(words.flatMap((word, index) => (index % 2 ? [] : [[word, words[index + 1]]])));

/** The character for a shortcode's name, or undefined for one that this page does not know. */
export function emoji(name) {
  return shortcodes.get(name);
}
