;; Multiplies a query with the vectors of a block, sixteen numbers at a time. `npm run generate` puts it into
;; compare.generated.ts; compare.ts says where in the memory everything lies.
(module
  (memory (export "memory") 1)

  ;; From $at to $end lie slots: four bytes of scale, then as many int8 as the vector has $dimensions. At $query lie
  ;; int16, with zeros up to a multiple of sixteen, so that what is read beyond a slot counts nothing. Of each slot one
  ;; float comes out at $out: its scale times the product.
  (func (export "compare")
    (param $at i32) (param $end i32) (param $query i32) (param $dimensions i32) (param $out i32)
    (local $values i32)
    (local $i i32)
    (local $sixteen v128)
    (local $asked i32)
    (local $sum v128)
    (loop $slots
      (local.set $values (i32.add (local.get $at) (i32.const 4)))
      (local.set $i (i32.const 0))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (loop $numbers
        (local.set $sixteen (v128.load align=1 (i32.add (local.get $values) (local.get $i))))
        (local.set $asked (i32.add (local.get $query) (i32.shl (local.get $i) (i32.const 1))))
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i32x4.add
              (i32x4.dot_i16x8_s
                (i16x8.extend_low_i8x16_s (local.get $sixteen))
                (v128.load (local.get $asked)))
              (i32x4.dot_i16x8_s
                (i16x8.extend_high_i8x16_s (local.get $sixteen))
                (v128.load offset=16 (local.get $asked))))))
        (local.set $i (i32.add (local.get $i) (i32.const 16)))
        (br_if $numbers (i32.lt_u (local.get $i) (local.get $dimensions))))
      (f32.store
        (local.get $out)
        (f32.mul
          (f32.load align=1 (local.get $at))
          (f32.convert_i32_s
            (i32.add
              (i32.add
                (i32x4.extract_lane 0 (local.get $sum))
                (i32x4.extract_lane 1 (local.get $sum)))
              (i32.add
                (i32x4.extract_lane 2 (local.get $sum))
                (i32x4.extract_lane 3 (local.get $sum)))))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $at (i32.add (local.get $values) (local.get $dimensions)))
      (br_if $slots (i32.lt_u (local.get $at) (local.get $end))))))
