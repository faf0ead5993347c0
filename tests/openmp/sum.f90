program sum_of_numbers
    implicit none
    integer :: i, call, total
    do call = 1, 200
        total = 0
        !$omp parallel do reduction(+ : total)
        do i = 1, 1000
            total = total + i
        end do
        !$omp end parallel do
    end do
    print '(i0)', total
end program
